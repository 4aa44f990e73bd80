/** The products this build has, and those the configuration asks for. */
import type { Config } from '../config';
import { chat } from './chat';
import { housekeeping } from './kernel/housekeeping';
import type { Workers } from './kernel/jobs/consume';
import type { Kernel } from './kernel/kernel';
import { kernelMigrations } from './kernel/mysql/migrate';
import type { Product } from './kernel/product';
import { ops } from './ops';
import { telephony } from './telephony';

/** The address that users and carriers were given. */
export function publicUrlOf(config: Config): string {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return config.publicUrl || `http://${host}:${config.port}`;
}

export function productsOf(config: Config): Product[] {
  const settings = { ...config, publicUrl: publicUrlOf(config) };
  const served = [chat(settings), telephony(settings)].filter(({ name }) => config.products.includes(name));
  return [...served, ops(served.flatMap(({ desks = [] }) => desks))];
}

/** In dependency order; the migrations themselves run in the order of their times. */
export const migrationFolders = (products: readonly Product[]): string[] => [
  kernelMigrations,
  ...products.map(({ migrations }) => migrations),
];

/** What a worker process of these products can run, by name. The kernel's housekeeping is part of every such process. */
export const workersOf = (kernel: Kernel, products: readonly Product[]): Workers =>
  Object.assign({ housekeeping }, ...products.map(({ workers }) => workers?.(kernel))) as Workers;
