/** CPU time of any process on this machine, in microseconds since it started. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

const MICROSECONDS = 1_000_000;

/** User and system time in clock ticks, parsed from /proc/<pid>/stat. */
export function ticksOf(stat: string): number {
  // The second field is the name in parentheses, which may itself contain parentheses and blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Seconds from the output of `ps -o time=`: [days-][hours:]minutes:seconds[.hundredths]. */
export function secondsOf(time: string): number {
  const [clock = '', days = '0'] = time.trim().split('-').toReversed();
  return clock.split(':').reduce((total, part) => total * 60 + Number(part), 0) + Number(days) * 86_400;
}

let ticksPerSecond: number | undefined;

function clockTicks(): number {
  try {
    return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) || 100;
  } catch {
    return 100;
  }
}

export function processCpu(pid: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return secondsOf(execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' })) * MICROSECONDS;
  }
  ticksPerSecond ??= clockTicks();
  return (ticksOf(stat) / ticksPerSecond) * MICROSECONDS;
}

/** Busy and total time of the whole machine, over all cores. */
export function machineCpu(): { busy: number; total: number } {
  let [busy, total] = [0, 0];
  for (const { times } of cpus()) {
    const working = times.user + times.nice + times.sys + times.irq;
    busy += working * 1000;
    total += (working + times.idle) * 1000;
  }
  return { busy, total };
}
