import { pauseAt } from '../../../src/kernel/pause';

const isPaused = async (pause: Promise<void>) =>
  (await Promise.race([
    pause.then(() => 'passed'),
    new Promise((resolve) => setTimeout(() => resolve('paused'), 20)),
  ])) === 'paused';

test('A pause happens only at the named point and the named time', async () => {
  const printed = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const pause = pauseAt(['after-commit:2']);
  expect(await isPaused(pause('before-publish'))).toBe(false);
  expect(await isPaused(pause('after-commit'))).toBe(false);
  expect(await isPaused(pause('after-commit'))).toBe(true);
  expect(printed).toHaveBeenCalledWith('paused at after-commit\n');
  printed.mockRestore();
});

test('A process without pause points never pauses', async () => {
  expect(await isPaused(pauseAt([])('after-commit'))).toBe(false);
});
