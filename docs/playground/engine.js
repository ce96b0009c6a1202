// The worker that runs whorl: started, asked, stopped, and started again.

const GRACE = 10; // seconds beyond the time limit, after which the page gives up

export function makeEngine(setup, on) {
  let worker = null;
  let guard = 0;

  function start() {
    worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.progress !== undefined) {
        on.progress(data.progress);
      } else if (data.ready) {
        on.ready();
      } else {
        clearTimeout(guard);
        if (data.answer) on.answer(data.answer);
        else restart(data.failed);
      }
    };
    worker.onerror = (event) => restart(event.message || "the worker could not be started");
    worker.postMessage({ wheel: setup.wheel });
  }

  // After an error of Python itself, as of memory, nothing in the worker can be relied on.
  function restart(why) {
    const wasAsked = guard !== 0;
    end();
    on.failed(why);
    if (wasAsked) start();
  }

  function end() {
    clearTimeout(guard);
    guard = 0;
    worker.terminate();
  }

  start();
  return {
    ask(request, seconds) {
      const late = `no answer ${GRACE} s after the time limit`;
      guard = setTimeout(() => restart(late), (seconds + GRACE) * 1000);
      worker.postMessage(request);
    },
    stop() {
      end();
      start();
    },
  };
}
