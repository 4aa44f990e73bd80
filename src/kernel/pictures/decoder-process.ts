/**
 * Decodes one image and ends: reads it from standard input, follows the recipe in its arguments, and writes the result
 * to standard output. It is a separate process because decoders are written in C and read untrusted input: it holds no
 * secret, and can be killed at any moment.
 */
import { setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { limitDecoders, makePictures } from './decode';
import type { MadePicture, Outcome, PictureRecipe, PictureRefusal } from './recipe';

/** Decoding has a lower priority than everything else: messages come first. */
const LOW_PRIORITY = 10;

async function answer(): Promise<MadePicture[] | PictureRefusal> {
  const recipe = JSON.parse(process.argv[2]!) as PictureRecipe;
  const bytes = await buffer(process.stdin);
  try {
    return await makePictures(bytes, recipe);
  } catch {
    // To the user, any decoder error means the same.
    return 'unreadable';
  }
}

async function main(): Promise<void> {
  setPriority(LOW_PRIORITY);
  limitDecoders();
  const made = await answer();
  const isMade = typeof made !== 'string';
  const outcome: Outcome = isMade
    ? { made: made.map(({ extension, bytes }) => ({ extension, size: bytes.length })) }
    : { refused: made };
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  if (isMade) for (const { bytes } of made) process.stdout.write(bytes);
}

void main();
