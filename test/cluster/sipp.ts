/** Telephones played by SIPp: one registers and waits for a call, another calls. Scenarios are in sipp/. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/lib/ports';
import { runCommand } from '../../scripts/lib/run-command';
import { programFor } from '../../scripts/lib/test-programs';

export interface SippPhone {
  readonly user: number;
  readonly secret: string;
  readonly port: number;
}

export const sippPhone = async (user: number, secret: string): Promise<SippPhone> => ({
  user,
  secret,
  port: await freePort(),
});

const WITHIN_S = 20;

/** Plays a scenario once; throws with what SIPp wrote about it where it does not go as it should. */
async function play(scenario: string, registrar: number, { user, secret, port }: SippPhone, to: number): Promise<void> {
  const sipp = programFor('sipp');
  const folder = mkdtempSync(join(tmpdir(), 'sipp-'));
  const errors = join(folder, 'errors');
  const options = {
    sf: join(__dirname, `sipp/${scenario}.xml`),
    i: '127.0.0.1',
    p: port,
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

export const registerPhone = (registrar: number, phone: SippPhone): Promise<void> =>
  play('register', registrar, phone, phone.user);

/** Takes one call, until the caller hangs up. */
export const takeCall = (registrar: number, phone: SippPhone): Promise<void> =>
  play('callee', registrar, phone, phone.user);

/** Calls, is answered, and hangs up. */
export const makeCall = (registrar: number, phone: SippPhone, to: number): Promise<void> =>
  play('caller', registrar, phone, to);
