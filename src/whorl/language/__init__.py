"""What every stage knows of Promela: types, arithmetic, operators, formulas and limits."""
