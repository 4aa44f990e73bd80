/** A thread that kills the process when its event loop hangs: the loop itself cannot notice or repair that. */
import { Worker } from 'node:worker_threads';

const TICK_MS = 500;

/**
 * The thread counts its own ticks, not the time: if the whole process was frozen, the loop gets the full time after the
 * thaw. A hanging loop cannot log, so the thread writes the last message.
 */
const SCRIPT = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const fed = new Int32Array(workerData.shared);
let last = -1;
let still = 0;
setInterval(() => {
  const now = Atomics.load(fed, 0);
  still = now === last ? still + 1 : 0;
  last = now;
  if (still < workerData.ticks) return;
  writeSync(2, 'partyline: the event loop stands still; the process is killed\\n');
  process.kill(process.pid, 'SIGKILL');
}, workerData.tickMs);
`;

/** Returns a function that ends it. */
export function startWatchdog(stillMs: number): () => void {
  const shared = new SharedArrayBuffer(4);
  const fed = new Int32Array(shared);
  const workerData = { shared, ticks: Math.ceil(stillMs / TICK_MS), tickMs: TICK_MS };
  const thread = new Worker(SCRIPT, { eval: true, workerData, env: {}, resourceLimits: { maxOldGenerationSizeMb: 8 } });
  thread.unref();
  const timer = setInterval(() => Atomics.add(fed, 0, 1), TICK_MS).unref();
  return () => {
    clearInterval(timer);
    void thread.terminate();
  };
}
