/** Telephony self-service, as one product. */
import { join } from 'node:path';
import type { Product } from '../kernel/product';
import { companyRoutes } from './http/company';
import { contactRoutes, invitationRoutes } from './http/contacts';
import { telephonyDialect } from './http/dialect';
import { extensionReads } from './http/extensions';
import { siteRoutes } from './http/sites';

export function telephony(): Product {
  return {
    name: 'telephony',
    migrations: join(__dirname, 'store/migrations'),
    mount: () => ({
      prefix: '',
      dialect: telephonyDialect,
      routes: [...companyRoutes, ...contactRoutes, ...siteRoutes, ...extensionReads, ...invitationRoutes],
    }),
  };
}
