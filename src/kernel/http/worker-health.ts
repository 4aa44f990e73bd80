/** The probes of a process that has no other HTTP side. */
import type { Kernel } from '../kernel';
import type { HttpSettings } from '../settings';
import { serveHealth, type HealthOptions } from './health';
import { openHttp, type HttpServer } from './server';

export function openWorkerHealth(
  kernel: Kernel,
  settings: HttpSettings & { readonly workerPort: number },
  options: Pick<HealthOptions, 'migrationFolders' | 'trouble'>,
): Promise<HttpServer> {
  const { metricsToken } = settings;
  const pages = [serveHealth(kernel, { metricsToken, ...options })];
  return openHttp(kernel, { ...settings, port: settings.workerPort }, { mounts: [], pages });
}
