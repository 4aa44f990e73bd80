/** What belongs to those who run the server, as one product beside the two that users see. */
import { join } from 'node:path';
import type { Product } from '../kernel/product';

export const ops: Product = { name: 'ops', migrations: join(__dirname, 'store/migrations') };
