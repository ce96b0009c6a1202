c_state "int" "Global"
c_state "int x" "Globl"
c_state "int y" "Local worker"
c_state "int z" "Local"
c_track "&x" "sizeof(int)" "Unmatched"
proctype workers() { skip }
init { run workers() }
