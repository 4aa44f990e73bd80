/** Lists all companies, for operators. */
import type { Kernel } from '../../../kernel/kernel';
import * as companies from '../../store/companies/companies';

export const listCompanies = (kernel: Kernel): Promise<companies.CompanyLine[]> => companies.list(kernel.mysql);
