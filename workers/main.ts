/** A worker process: runs the workers named on the command line, or all of them, until it is asked to stop. */
import type { Config } from '../config';
import { startConsumer, type AnyConsumer } from '../src/kernel/jobs/consume';
import { startVitals } from '../src/kernel/jobs/vitals';
import { openWorkerHealth } from '../src/kernel/http/worker-health';
import { openKernel } from '../src/kernel/kernel';
import { migrationFolders, productsOf } from '../src/products';
import { runProcess } from '../src/run';
import { chatSearch } from './chat-search';
import { chatWebhooks } from './chat-webhooks';
import { chatWebhooksSweep } from './chat-webhooks-sweep';
import { faxOutbound } from './fax-outbound';
import { housekeeping } from './housekeeping';
import { pbxBulk } from './pbx-bulk';
import { pbxProvisioning } from './pbx-provisioning';
import { pbxReconciliation, pbxReconciliationStart } from './pbx-reconciliation';
import { pbxSweep } from './pbx-sweep';
import { presenceSweep } from './presence-sweep';
import { textingForget } from './texting-forget';
import { textingInbound } from './texting-inbound';
import { textingOutbound } from './texting-outbound';
import { textingSweep } from './texting-sweep';

const workersOf = (config: Config): Readonly<Record<string, AnyConsumer>> => ({
  'chat-search': chatSearch,
  'chat-webhooks': chatWebhooks,
  'chat-webhooks-sweep': chatWebhooksSweep,
  'fax-outbound': faxOutbound(config),
  housekeeping,
  'pbx-bulk': pbxBulk(config),
  'pbx-provisioning': pbxProvisioning(config),
  'pbx-reconciliation': pbxReconciliation(config),
  'pbx-reconciliation-start': pbxReconciliationStart(config),
  'pbx-sweep': pbxSweep(config),
  'presence-sweep': presenceSweep(config),
  'texting-forget': textingForget,
  'texting-inbound': textingInbound,
  'texting-outbound': textingOutbound(config),
  'texting-sweep': textingSweep,
});

void runProcess(async (config) => {
  const workers = workersOf(config);
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(workers);
  const unknown = names.filter((name) => !(name in workers));
  if (unknown.length > 0) {
    throw new Error(`there is no worker named ${unknown.join(', ')}; there are ${Object.keys(workers).join(', ')}`);
  }
  const products = productsOf(config);
  const kernel = await openKernel(config);
  for (const product of products) await product.open?.(kernel);
  for (const name of names) await startConsumer(kernel, workers[name]!);
  const { trouble } = startVitals(kernel, {
    pulseFile: config.pulseFile,
    onDeaf(reason) {
      kernel.log.fatal({ reason }, 'this worker has gone deaf; another has to take its place');
      process.exit(1);
    },
  });
  if (config.workerPort > 0) {
    await openWorkerHealth(kernel, config, { migrationFolders: migrationFolders(products), trouble });
  }
  kernel.log.info({ workers: names }, 'worker ready');
  return kernel;
});
