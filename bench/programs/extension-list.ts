/** Ours: pages of ten thousand extensions as the lists read them, and a page read by primary keys. */
import { loadConfig } from '../../config';
import { openKernel } from '../../src/kernel/kernel';
import { findCompany } from '../../src/telephony/queries/companies/companies';
import { addInstance } from '../../src/telephony/commands/sites/change-instances';
import { DEFAULT_PAGE_SIZE } from '../../src/telephony/model/paging';
import { pageExtensions, type ExtensionQuery } from '../../src/telephony/store/extensions/extension-lists';
import { newId } from '../../src/kernel/id';
import type { Measurement } from '../harness/benchmark';
import { closedLoop } from '../harness/closed-loop';
import { program, type Shape } from '../harness/program';

export interface ExtensionList extends Shape {
  readonly options: { readonly environment: Readonly<Record<string, string>> };
  readonly ready: null;
  readonly order: { readonly read: 'keys' | Partial<ExtensionQuery>; readonly milliseconds: number };
  readonly report: Measurement;
}

const HOW_MANY = 10_000;
const PAGE = DEFAULT_PAGE_SIZE;
const EVERY = { byUser: false, ofUsers: false };

program<ExtensionList>(async ({ environment }) => {
  const kernel = await openKernel(loadConfig(environment));
  const companyId = (await findCompany(kernel.mysql, 'Example Telecom'))!;
  const { uuid: pbx, locationId } = await addInstance(kernel, {
    companyId,
    backend: 'simulated',
    address: 'http://127.0.0.1:1',
    details: {},
  });
  const { id: userId } = (await kernel.mysql('tel_contacts').where({ company_id: companyId }).first('id')) as {
    id: string;
  };
  const rows = Array.from({ length: HOW_MANY }, (_, index) => ({
    id: newId(),
    company_id: companyId,
    pbx,
    number: 100_000 + index,
    name: `Phone ${index}`,
    description: 'of the benchmark',
    user_id: index % 2 === 0 ? userId : null,
    location_id: locationId,
    purpose: index % 3 === 0 ? 'mobile-app' : 'ip-phone',
    is_visible: true,
    data: JSON.stringify({ name: `Phone ${index}`, padding: 'x'.repeat(3000) }),
    credentials: 'x'.repeat(160),
    search_text: `${100_000 + index} phone ${index} of the benchmark phone${index}@example.com`,
    user_text: index % 2 === 0 ? `user ${index % 700} surname user${index % 700}@example.com` : '',
    created_at: kernel.mysql.raw('NOW(3)'),
    updated_at: kernel.mysql.raw('NOW(3)'),
  }));
  await kernel.mysql.batchInsert('tel_extensions', rows, 500);
  await kernel.mysql.raw('ANALYZE TABLE tel_extensions');
  const pageCount = HOW_MANY / PAGE;

  return {
    ready: null,
    run({ read, milliseconds }) {
      return closedLoop({ concurrency: 1, milliseconds }, (index) => {
        const at = (index * 7) % pageCount;
        if (read === 'keys') {
          const ids = rows.slice(at * PAGE, (at + 1) * PAGE).map(({ id }) => id);
          return kernel.mysql('tel_extensions').whereIn('id', ids);
        }
        // A search finds about a hundred: one page.
        const page = { number: read.search === undefined ? at + 1 : 1, size: PAGE };
        return pageExtensions(kernel.mysql, pbx, { query: { ...EVERY, ...read }, page });
      });
    },
  };
});
