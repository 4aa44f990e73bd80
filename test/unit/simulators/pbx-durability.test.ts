// An acknowledged change on the simulated PBX survives a kill; the process stops cleanly when asked to.
import fs from 'node:fs';
import path from 'node:path';
import { caller, ONE, spawnPbx, temporaryFolder } from './pbx-process';
import type { PbxProcess } from './pbx-process';

describe('Journal of the simulated PBX', () => {
  let dataDir: string;
  let running: PbxProcess | undefined;

  beforeEach(() => {
    dataDir = temporaryFolder();
  });

  afterEach(async () => {
    if (running?.child.exitCode === null && running.child.signalCode === null) await running.end('SIGKILL');
    fs.rmSync(dataDir, { recursive: true });
  });

  const journal = (): string => path.join(dataDir, 'pbx', 'extensions.jsonl');

  async function numbers(url: string): Promise<string[]> {
    const reply = await caller(url)('GET', `/instances/${ONE}/extensions`);
    return (reply.body as { number: string }[]).map((entry) => entry.number);
  }

  it('The simulated PBX has every acknowledged write and removal after kill -9 amid many writes', async () => {
    running = await spawnPbx(dataDir);
    const call = caller(running.url);
    await call('PUT', `/instances/${ONE}/extensions/1`, { name: 'to go' });
    expect((await call('DELETE', `/instances/${ONE}/extensions/1`)).status).toBe(200);

    const acknowledged: string[] = [];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; i < 500; i++) {
        const number = String(1000 + writer * 500 + i);
        const reply = await call('PUT', `/instances/${ONE}/extensions/${number}`, { name: 'x'.repeat(200) });
        if (reply.status === 201) acknowledged.push(number);
      }
    });
    const settled = Promise.allSettled(writers);
    while (acknowledged.length < 100) await new Promise((resolve) => setTimeout(resolve, 5));
    await running.end('SIGKILL');
    await settled;

    running = await spawnPbx(dataDir);
    const held = await numbers(running.url);
    expect(held).toEqual(expect.arrayContaining(acknowledged));
    expect(held).not.toContain('1');
    expect(acknowledged.length).toBeLessThan(4000);
  });

  it('The simulated PBX ignores a torn last line of its journal and keeps writing after it', async () => {
    running = await spawnPbx(dataDir);
    await caller(running.url)('PUT', `/instances/${ONE}/extensions/5`, {});
    await running.end('SIGKILL');
    fs.appendFileSync(journal(), '{"kind":"put","instance":"torn');

    running = await spawnPbx(dataDir);
    await caller(running.url)('PUT', `/instances/${ONE}/extensions/6`, {});
    await running.end('SIGKILL');
    running = await spawnPbx(dataDir);
    expect(await numbers(running.url)).toEqual(['5', '6']);
  });

  it('The simulated PBX refuses to start on a journal that is damaged in the middle', async () => {
    fs.mkdirSync(path.dirname(journal()));
    fs.writeFileSync(journal(), 'broken\n{"kind":"empty","instance":"x"}\n');
    await expect(spawnPbx(dataDir)).rejects.toThrow('damaged at line 1');
  });

  it('The simulated PBX compacts its journal when it starts', async () => {
    running = await spawnPbx(dataDir);
    const call = caller(running.url);
    for (let i = 0; i < 20; i++) await call('PUT', `/instances/${ONE}/extensions/5`, { i });
    expect(fs.readFileSync(journal(), 'utf8').trim().split('\n')).toHaveLength(20);
    expect(await running.end('SIGTERM')).toBe(0);
    running = await spawnPbx(dataDir);
    expect(fs.readFileSync(journal(), 'utf8').trim().split('\n')).toHaveLength(1);
    expect((await caller(running.url)('GET', `/instances/${ONE}/extensions/5`)).body).toEqual({ number: '5', i: 19 });
  });

  it('The simulated PBX stops on SIGTERM while calls hang or wait, and has printed no secret', async () => {
    running = await spawnPbx(dataDir);
    const call = caller(running.url);
    await call('PUT', `/instances/${ONE}/extensions/5`, { secret: 'hush' });
    await call('PUT', '/faults', { instance: ONE, mode: 'hang', times: 1 });
    const hanging = call('PUT', `/instances/${ONE}/extensions/6`, {}).then(String, (error: Error) => error.message);
    await call('PUT', '/faults', { instance: ONE, mode: 'slow', delay_ms: 60_000, late: true });
    const waiting = call('PUT', `/instances/${ONE}/extensions/7`, {}).then(String, (error: Error) => error.message);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await running.end('SIGTERM')).toBe(0);
    expect([await hanging, await waiting]).toEqual(['fetch failed', 'fetch failed']);
    expect(running.output.join('')).not.toContain('hush');
  });
});
