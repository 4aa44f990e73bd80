/** Telephony self-service, as one product. */
import { join } from 'node:path';
import type { Product } from '../kernel/product';
import { companyRoutes } from './http/company';
import { telephonyDialect } from './http/dialect';

export function telephony(): Product {
  return {
    name: 'telephony',
    migrations: join(__dirname, 'store/migrations'),
    mount: () => ({ prefix: '', dialect: telephonyDialect, routes: companyRoutes }),
  };
}
