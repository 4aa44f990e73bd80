/** The email domains with which users may join the organisation. */
import { flag, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { addRealmDomain, changeRealmDomain, removeRealmDomain } from '../../commands/organisation/edit-realm-domains';
import { DONE } from '../../model/answers/envelope';
import { newDomainAnswer, realmDomainsAnswer } from '../../model/answers/organisation';
import type { User } from '../../model/users/user';
import { listRealmDomains } from '../../queries/organisation/list-realm-domains';
import { looseString } from '../json-checks';
import { domainTaken, invalidDomain, noSuchDomain } from '../../model/organisation/organisation-faults';
import { adminsOnly } from '../../model/users/user-faults';

const { get, post, patch, del } = routesFor<User>();

export const realmDomainRoutes = [
  get('/realm/domains', {
    summary: "Get the organisation's domains",
    answer: realmDomainsAnswer,
    run: async ({ kernel, by }) => ({ domains: await listRealmDomains(kernel, by.realmId) }),
  }),
  post('/realm/domains', {
    summary: 'Add a domain; administrators only',
    answer: newDomainAnswer,
    refuses: [adminsOnly(), invalidDomain('it has no dot'), domainTaken('example.com')],
    params: { domain: looseString('domain'), allow_subdomains: flag },
    run: async ({ kernel, by, params: { domain, allow_subdomains: allowsSubdomains } }) => ({
      new_domain: await addRealmDomain(kernel, by, { domain, allowsSubdomains }),
    }),
  }),
  patch('/realm/domains/:domain', {
    summary: 'Allow or disallow the subdomains of a domain; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), noSuchDomain('example.com')],
    params: { domain: text, allow_subdomains: flag },
    run: ({ kernel, by, params: { domain, allow_subdomains: allowsSubdomains } }) =>
      changeRealmDomain(kernel, by, { domain, allowsSubdomains }),
  }),
  del('/realm/domains/:domain', {
    summary: 'Remove a domain; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), noSuchDomain('example.com')],
    params: { domain: text },
    run: ({ kernel, by, params }) => removeRealmDomain(kernel, by, params.domain),
  }),
];
