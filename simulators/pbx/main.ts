// Entry point: runs the simulated PBX as its own process until it is told to stop.
import path from 'node:path';
import { startPbx } from './server';

const DEFAULT_PORT = 9981;

async function run(env: NodeJS.ProcessEnv): Promise<void> {
  const port = Number(env['PBX_SIM_PORT'] || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('PBX_SIM_PORT must be a port number');
  const folder = path.resolve(env['DATA_DIR'] || '.data', 'pbx');
  const pbx = await startPbx({ host: env['HOST'] || '127.0.0.1', port, folder });
  console.log(`pbx simulator listening on ${pbx.url}, ${pbx.extensions} extensions in ${folder}`);

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      pbx.close().then(() => process.exit(0), fail);
    });
  }
}

function fail(error: Error): void {
  console.error(`pbx simulator: ${error.message}`);
  process.exit(1);
}

run(process.env).catch(fail);
