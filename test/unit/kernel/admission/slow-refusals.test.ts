import { SlowRefusals } from '../../../../src/kernel/admission/slow-refusals';

test('The larger a crowd of refused requests is, the later each is answered, and others are not made to wait for it', async () => {
  const refusals = new SlowRefusals(0);
  const answered: string[] = [];
  const refuse = (name: string, address: string) =>
    refusals.refuse(new Error(name), address).catch((error: Error) => answered.push(error.message));
  const crowd = Array.from({ length: 150 }, (_, at) => refuse(`crowd ${at}`, 'crowded'));
  await Promise.all([...crowd, refuse('other', 'quiet')]);
  const placeOf = (name: string) => answered.indexOf(name);
  expect(answered).toHaveLength(151);
  expect(placeOf('crowd 0')).toBeLessThan(placeOf('crowd 149'));
  expect(placeOf('other')).toBeLessThan(placeOf('crowd 149'));
});
