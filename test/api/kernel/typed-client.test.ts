import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { apiDocument } from '../../support/http/api-document';
import { openCluster, type Cluster } from '../../support/kernel/cluster';

const ROOT = join(__dirname, '../../..');
const run = promisify(execFile);

/** With the settings of a client author: strict, and with nothing from this project. */
const COMPILER = {
  compilerOptions: {
    target: 'es2022',
    module: 'commonjs',
    strict: true,
    skipLibCheck: true,
    rootDir: '.',
    outDir: 'out',
    types: ['node'],
  },
  include: ['*.ts'],
};

let folder: string;
let cluster: Cluster;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typed-client-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(__dirname, '../../support/http/typed-client/program.ts.txt'), join(folder, 'program.ts'));
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(apiDocument()));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(COMPILER));
  cluster = await openCluster();
  await cluster.seed();
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

test('A client generated from the OpenAPI document compiles only when used correctly, and its calls are answered', async () => {
  const generator = join(ROOT, 'node_modules/oazapfts/dist/cli.cjs');
  await run(process.execPath, [generator, 'openapi.json', 'client.ts', '--useUnknown', '--allSchemas'], {
    cwd: folder,
  });
  const compiled = run(join(ROOT, 'node_modules/.bin/tsc'), ['--project', '.'], { cwd: folder });
  expect(await compiled.catch((error: { stdout: string }) => error.stdout)).toMatchObject({ stdout: '' });

  const node = await cluster.node();
  const { Authorization: basic } = await node.basic('member@example.com');
  const program = [join(folder, 'out/program.js'), node.url, basic, 'Bearer demo-key-one'];
  const { stdout } = await run(process.execPath, program, { cwd: folder });
  const said = JSON.parse(stdout) as { id: number; subjects: string[]; name: string; employees: number };
  expect(said).toMatchObject({ id: expect.any(Number), subjects: ['typed'], matches: 1, name: 'Example Telecom' });
});
