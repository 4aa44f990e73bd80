/** Phones played by SIPp: one registers and waits for a call, another calls. Scenarios are in sipp/. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onFreePorts } from '../../../scripts/lib/ports';
import { runCommand } from '../../../scripts/lib/run-command';
import { programFor } from '../../../scripts/lib/test/test-programs';

export interface SippPhone {
  readonly user: number;
  readonly secret: string;
  /** The port at which others call it. Without one, SIPp picks any port for each run. */
  readonly port?: number;
}

const WITHIN_S = 20;

/** Plays a scenario once; throws with SIPp's output if it does not go as it should. */
async function play(scenario: string, registrar: number, { user, secret, port }: SippPhone, to: number): Promise<void> {
  const sipp = programFor('sipp');
  const folder = mkdtempSync(join(tmpdir(), 'sipp-'));
  const errors = join(folder, 'errors');
  const options = {
    sf: join(__dirname, `sipp/${scenario}.xml`),
    i: '127.0.0.1',
    ...(port === undefined ? {} : { p: port }),
    m: 1,
    s: to,
    au: user,
    ap: secret,
    timeout: `${WITHIN_S}s`,
    error_file: errors,
  };
  const flags = ['-nostdin', '-timeout_error', '-trace_err', '-key', 'user', String(user)];
  const named = Object.entries(options).flatMap(([name, value]) => [`-${name}`, String(value)]);
  const args = [`127.0.0.1:${registrar}`, ...named, ...flags];
  const { code, all } = await runCommand(sipp.path, [...sipp.args, ...args], {
    cwd: folder,
    env: { ...process.env, ...sipp.env, TERM: 'dumb' },
  });
  const said = existsSync(errors) ? readFileSync(errors, 'utf8') : all.slice(-2000);
  rmSync(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`${scenario} of ${user} ended with ${code}:\n${said}`);
}

/** Returns the phone, with the port at which it can be called. */
export const registerPhone = (registrar: number, { user, secret }: SippPhone): Promise<SippPhone> =>
  onFreePorts(async (next) => {
    const phone = { user, secret, port: await next() };
    await play('register', registrar, phone, user);
    return phone;
  });

/** Takes one call, until the caller hangs up. */
export const takeCall = (registrar: number, phone: SippPhone): Promise<void> =>
  play('callee', registrar, phone, phone.user);

/** Calls, is answered, and hangs up. */
export const makeCall = (registrar: number, phone: SippPhone, to: number): Promise<void> =>
  play('caller', registrar, phone, to);
