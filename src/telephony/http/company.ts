/** The company record. */
import { routesFor } from '../../kernel/http/route';
import type { Caller } from '../model/contact';
import { getCompany } from '../queries/get-company';

const { get } = routesFor<Caller>();

export const companyRoutes = [
  get('/system/company', { summary: 'Get your company', run: ({ kernel, by }) => getCompany(kernel, by) }),
];
