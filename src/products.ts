/** The products of this build, and which of them the configuration enables. */
import type { Config } from '../config';
import { chat } from './chat';
import { housekeeping } from './kernel/jobs/housekeeping';
import type { Workers } from './kernel/jobs/consume';
import { kernelMigrations } from './kernel/mysql/migrate';
import type { OpenProduct, Product } from './kernel/product';
import { ops } from './ops';
import { telephony } from './telephony';
import { version } from './version';

/** The base URL that users and carriers were given. */
export function publicUrlOf(config: Config): string {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return config.publicUrl || `http://${host}:${config.port}`;
}

function everyProduct(config: Config): Product[] {
  const settings = { ...config, publicUrl: publicUrlOf(config) };
  return [chat({ ...settings, hasPortal: config.products.includes('telephony') }), telephony(settings)];
}

/** The products that PRODUCTS leaves out. */
export const unservedProducts = (config: Config): Product[] =>
  everyProduct(config).filter(({ name }) => !config.products.includes(name));

export function productsOf(config: Config): Product[] {
  const served = everyProduct(config).filter(({ name }) => config.products.includes(name));
  const products: readonly Product[] = [
    ...served,
    ops({
      admins: served.flatMap(({ admins = [] }) => admins),
      tenants: served.flatMap(({ tenants = [] }) => tenants),
      farEndKeepers: served.flatMap(({ farEndKeepers = [] }) => farEndKeepers),
      farEnds: served.flatMap(({ farEnds = [] }) => farEnds),
      // Telephony's paths have no common prefix, so telephony also answers 404 for unknown paths. Without it, ops does.
      refusesRest: !config.products.includes('telephony'),
      version,
      installation: () => ({ settings: config, products, migrationFolders: migrationFolders(products) }),
    }),
  ];
  return [...products];
}

/** In dependency order. The migrations themselves run in order of their timestamps. */
export const migrationFolders = (products: readonly Product[]): string[] => [
  kernelMigrations,
  ...products.map(({ migrations }) => migrations),
];

/** The workers that a worker process can run, by name. Every worker process also runs the kernel's housekeeping. */
export const workersOf = (open: readonly OpenProduct[]): Workers =>
  Object.assign({ housekeeping }, ...open.map(({ product, parts }) => product.workers?.(parts))) as Workers;
