/** Time-based one-time codes (RFC 6238) with parameters that every authenticator supports: SHA-1 and 6 digits. */
import { createHmac, randomBytes } from 'node:crypto';
import { isSameOfItsLength } from '../secrets/signatures';

const STEP_MS = 30_000;
const DIGITS = 6;
/** Phone clocks are a little off, and people type slowly. */
const STEPS_AROUND = [0, -1, 1];
/** RFC 4226 asks for at least 16 bytes and recommends these 20. */
const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const newTotpSecret = (): string => toBase32(randomBytes(SECRET_BYTES));

export const totpStep = (time: number): number => Math.floor(time / STEP_MS);

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = digest.readUInt32BE(digest.at(-1)! & 0x0f) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step of a code that is valid about now. The caller records the step and must not accept an earlier one. */
export function findTotpStep(secret: string, code: string, time: number): number | undefined {
  const now = totpStep(time);
  return STEPS_AROUND.map((around) => now + around).find((step) => isSameOfItsLength(code, totpCode(secret, step)));
}

function toBase32(bytes: Buffer): string {
  let text = '';
  let [bits, held] = [0, 0];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(held >> (bits - 5)) & 31];
    held &= 0xff;
  }
  return text;
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  for (const letter of text) {
    held = ((held << 5) | BASE32.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return Buffer.from(bytes);
}
