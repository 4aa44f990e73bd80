/** Where the CPU time of a process is read from. */
import { machineCpu, processCpu, secondsOf, ticksOf } from '../../../bench/harness/cpu';

describe('ticksOf', () => {
  it('The ticks of a process are the sum of its user and system time', () => {
    const stat = '1234 (node) S 1 1234 1234 0 -1 4194304 9000 0 3 0 250 75 0 0 20 0 11 0 123456 700000000 12000';
    expect(ticksOf(stat)).toBe(325);
  });

  it('The ticks are read correctly if the process name has brackets and spaces', () => {
    expect(ticksOf('7 (a) S 9 (b c) R 1 2 3 4 5 6 7 8 9 10 40 2 0 0 20')).toBe(42);
  });
});

describe('secondsOf', () => {
  it.each([
    ['00:00:07', 7],
    ['01:02:03', 3723],
    ['2-00:00:01', 172_801],
    ['  3:04.56\n', 184.56],
  ])('The CPU time %s is read as %d seconds', (text, seconds) => {
    expect(secondsOf(text)).toBeCloseTo(seconds);
  });
});

it('The CPU time of this process grows while it works', () => {
  const [before, own] = [processCpu(process.pid), process.cpuUsage()];
  // Measured by the process's own clock, because the machine may be busy.
  while (process.cpuUsage(own).user < 100_000);
  expect(processCpu(process.pid) - before).toBeGreaterThan(50_000);
});

it('The busy time of the machine is never more than its total time', () => {
  const { busy, total } = machineCpu();
  expect(busy).toBeGreaterThan(0);
  expect(busy).toBeLessThanOrEqual(total);
});
