/** Counts the companies. */
import type { Kernel } from '../../../kernel/kernel';
import * as companies from '../../store/companies/companies';

export const countCompanies = ({ mysql }: Pick<Kernel, 'mysql'>): Promise<number> => companies.count(mysql);
