/**
 * Decodes one picture and ends: reads it from standard input, makes what the recipe in its arguments says, and writes that
 * to standard output. A process of its own, because decoders are written in C and read what strangers wrote: it holds no
 * secret, and it can be ended at any moment.
 */
import { setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { limitDecoders, makePictures } from './decode';
import type { MadePicture, Outcome, PictureRecipe, PictureRefusal } from './recipe';

/** Decoding runs below everything else: messages come first. */
const LOW_PRIORITY = 10;

async function answer(): Promise<MadePicture[] | PictureRefusal> {
  const recipe = JSON.parse(process.argv[2]!) as PictureRecipe;
  const bytes = await buffer(process.stdin);
  try {
    return await makePictures(bytes, recipe);
  } catch {
    // Any error of a decoder means the same to the user.
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
