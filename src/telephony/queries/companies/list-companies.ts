/** Every company, for those who run the server. */
import type { Kernel } from '../../../kernel/kernel';
import * as companies from '../../store/companies/companies';

export const listCompanies = (kernel: Kernel): Promise<companies.CompanyLine[]> => companies.list(kernel.mysql);
