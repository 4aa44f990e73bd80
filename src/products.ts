/** The products this build has, and those the configuration asks for. */
import type { Config } from '../config';
import { chat } from './chat';
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
