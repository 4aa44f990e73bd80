/** node dist/test/unit/chat/markdown/measure.js: how long rendering takes, for docs/RENDERING.md. */
import { contentDiff } from '../../../../src/chat/model/markdown/content-diff';
import { NOTHING_KNOWN, type RenderContext } from '../../../../src/chat/model/markdown/context';
import { references } from '../../../../src/chat/model/markdown/references';
import { render } from '../../../../src/chat/model/markdown/render';
import { SLOW } from './corpus';
import { organisation } from './organisation';

const PLAIN = 'Hello everybody, lunch is at noon today. Who comes along, and where to?';
const SHORT = 'Hi @**King Hamlet**, see **this** and http://example.com/page :smile:';
const RICH = `# Notes\n${`${SHORT}\n* a list with \`code\` and #**Denmark**\n> a quote\n\n`.repeat(12)}`;
const CODE = `\`\`\`python\n${'def f(x):\n    return "a" + str(x)  # why\n'.repeat(10)}\`\`\``;

/** The smallest of a few medians: the time without disturbance. */
function microseconds(work: () => void): number {
  const medians: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const times: number[] = [];
    for (let count = 0; count < 60; count += 1) {
      const began = performance.now();
      work();
      times.push(performance.now() - began);
    }
    medians.push(times.sort((a, b) => a - b)[30]!);
  }
  return Math.min(...medians) * 1000;
}

function slowest(context: RenderContext): [string, number][] {
  const times = Object.entries(SLOW).map(([name, content]): [string, number] => {
    const attempts = Array.from({ length: 5 }, () => {
      const began = process.cpuUsage();
      try {
        render(content, context);
      } catch {
        // Messages that are too long to send are measured too.
      }
      return process.cpuUsage(began).user / 1000;
    });
    return [name, attempts.sort((a, b) => a - b)[2]!];
  });
  return times.sort((a, b) => b[1] - a[1]).slice(0, 8);
}

const say = (text: string) => process.stdout.write(`${text}\n`);

for (const [name, content, context] of [
  ['plain', PLAIN, NOTHING_KNOWN],
  ['plain, with two linkifiers', PLAIN, organisation],
  ['short', SHORT, organisation],
  [`rich, ${RICH.length} characters`, RICH, organisation],
  ['20 lines of Python', CODE, NOTHING_KNOWN],
] as const) {
  say(
    `${microseconds(() => void render(content, context))
      .toFixed(1)
      .padStart(8)} µs  ${name}`,
  );
}
say(
  `${microseconds(() => void references(SHORT))
    .toFixed(1)
    .padStart(8)} µs  references of the short one`,
);
const [before, after] = [render(SHORT, organisation).html, render(`${SHORT} more`, organisation).html];
say(
  `${microseconds(() => void contentDiff(before, after))
    .toFixed(1)
    .padStart(8)} µs  difference of two short ones`,
);
say('slowest of the hostile corpus (10,000 characters each):');
for (const [name, time] of slowest({ ...organisation, translateEmoticons: true }))
  say(`${time.toFixed(1).padStart(8)} ms  ${name}`);
