'use strict';

/**
 * Progress of long steps: a ticking line on a terminal, one line per step elsewhere (logs, CI).
 *
 * It writes to stdout unless told otherwise; `npm run cli` moves it to stderr so that its stdout stays machine-readable.
 */

/** @typedef {{ step: <T>(title: string, work: (note: (text: string) => void) => Promise<T>) => Promise<T>, line: (text: string) => void }} Progress */

/**
 * @param {{ isTTY?: boolean }} stream
 * @param {NodeJS.ProcessEnv} env
 */
function wantsColour(stream, env) {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

/** @param {number} milliseconds */
function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/**
 * @param {NodeJS.WriteStream} [stream]
 * @returns {Progress}
 */
function createProgress(stream = process.stdout) {
  const ticking = stream.isTTY === true;
  const colour = wantsColour(stream, process.env);
  /** @type {Map<number, { title: string, begun: number, note: string }>} */
  const running = new Map();
  let next = 0;
  let shown = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;

  const clear = () => {
    if (shown) stream.write('\r\u001b[K');
    shown = false;
  };
  const draw = () => {
    clear();
    const texts = [...running.values()].map(
      (step) => `${step.title} ${seconds(Date.now() - step.begun)}${step.note === '' ? '' : ` (${step.note})`}`,
    );
    if (texts.length === 0) return;
    stream.write(texts.join(', ').slice(0, Math.max(20, (stream.columns || 80) - 1)));
    shown = true;
  };
  /** @param {string} text */
  const line = (text) => {
    if (ticking) clear();
    stream.write(`${text}\n`);
    if (ticking) draw();
  };
  /** @param {string} mark @param {number} code */
  const paint = (mark, code) => (colour ? `\u001b[${code}m${mark}\u001b[0m` : mark);

  return {
    line,
    async step(title, work) {
      const id = next++;
      const state = { title, begun: Date.now(), note: '' };
      running.set(id, state);
      if (ticking) {
        draw();
        timer ??= setInterval(draw, 200).unref();
      }
      /** @param {string} mark */
      const end = (mark) => {
        running.delete(id);
        if (running.size === 0) {
          clearInterval(timer);
          timer = undefined;
        }
        const note = state.note === '' ? '' : ` (${state.note})`;
        line(`${mark} ${title}${note} ${seconds(Date.now() - state.begun)}`);
      };
      try {
        const result = await work((text) => {
          state.note = text;
        });
        end(paint('ok', 32));
        return result;
      } catch (error) {
        end(paint('failed', 31));
        throw error;
      }
    },
  };
}

module.exports = { createProgress, wantsColour };
