/** A server on a full disk is waited for. Its words, recorded from MariaDB 10.11, look much like those about damage. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { damagedData } from '../../../scripts/lib/servers/mariadb-damage';
import { supervise } from '../../../scripts/lib/start/supervise';
import { until } from '../../support/until';

const REGISTRATION = `2026-11-18 10:38:02 0 [ERROR] Plugin 'InnoDB' registration as a STORAGE ENGINE failed.
2026-11-18 10:38:02 0 [ERROR] Unknown/unsupported storage engine: InnoDB
2026-11-18 10:38:02 0 [ERROR] Aborting`;

const FULL = [
  '[ERROR] InnoDB: preallocating 12582912 bytes for file ./ibtmp1 failed with error 28',
  "[ERROR] InnoDB: Could not set the file size of './ibtmp1'. Probably out of disk space",
  '[ERROR] mariadbd: Error writing file \'./ddl_recovery.log\' (Errcode: 28 "No space left on device")',
  "[Warning] mariadbd: Disk is full writing './mysql/db.MAD' (Errcode: 28). Waiting for someone to free space...",
  '[ERROR] InnoDB: Operating system error number 28 in a file operation. (errno: 28)',
];

test.each(FULL)('A MariaDB that says "%s" is not taken for damaged', (line) => {
  expect(damagedData(tmpdir(), `2026-11-18 10:38:02 0 ${line}\n${REGISTRATION}`)).toBeUndefined();
});

test('A MariaDB whose storage engine fails for no other reason is taken for damaged', () => {
  expect(damagedData(tmpdir(), REGISTRATION)).toMatch(/^MariaDB cannot read its data in /);
  const page = 'InnoDB: Database page corruption on disk or a failed read of file ./ibdata1 page 28';
  expect(damagedData(tmpdir(), `${page}\n${REGISTRATION}`)).toMatch(/^MariaDB cannot read its data in /);
});

/** How often the program of the test below was started. */
const runsIn = (place: string): number => readFileSync(join(place, 'runs'), 'utf8').split('\n').length - 1;

test('A child on a full disk is waited for however often it ends, and one line says so', async () => {
  const place = mkdtempSync(join(tmpdir(), 'full-disk-'));
  const space = join(place, 'space');
  const program = join(place, 'server');
  const words = `${FULL[0]}\n${REGISTRATION}`;
  // Ends with MariaDB's words until there is space, and then stays.
  writeFileSync(
    program,
    `#!/bin/sh\ncd '${place}'\necho run >> runs\n[ -e space ] && exec sleep 600\ncat words >&2\nexit 1\n`,
  );
  chmodSync(program, 0o700);
  writeFileSync(join(place, 'words'), words);
  const told: string[] = [];
  const child = supervise(
    {
      name: 'server',
      command: program,
      args: [],
      env: process.env,
      cwd: place,
      deathSignal: 'KILL',
      isReady: () => Promise.resolve(existsSync(space)),
      giveUp: (output) => damagedData(place, output),
    },
    { run: place, logs: place },
    (text) => told.push(text),
  );
  await until(() => told.length > 0);
  let isDecided = false;
  const ready = child.whenReady(10).then((isReady) => {
    isDecided = true;
    return isReady;
  });
  // A child that ends five times for another reason is given up.
  await until(() => runsIn(place) > 5);
  expect(isDecided).toBe(false);
  expect(child.lostTo()).toBeUndefined();
  expect(told).toEqual([`server waits: the disk of ${place} is full. It goes on by itself when there is space`]);
  writeFileSync(space, '');
  expect(await ready).toBe(true);
  await until(() => told.some((text) => text.startsWith('server is back')));
  await child.stop(1000);
  rmSync(place, { recursive: true });
});
