/** Ours: instances of a demo company on the benchmarks' PBX, created once. */
import { loadConfig } from '../../config';
import { openKernel } from '../../src/kernel/kernel';
import { addInstance } from '../../src/telephony/commands/sites/change-instances';
import { findCompany } from '../../src/telephony/queries/companies/companies';
import { program, type Shape } from '../harness/program';

export interface Fleet extends Shape {
  readonly options: {
    readonly environment: Readonly<Record<string, string>>;
    readonly address: string;
    readonly count: number;
  };
  readonly ready: { readonly instances: readonly string[] };
}

program<Fleet>(async ({ environment, address, count }) => {
  const kernel = await openKernel(loadConfig(environment));
  const companyId = await findCompany(kernel.mysql, 'Example Telecom');
  if (companyId === undefined) throw new Error('the demo company is gone');
  const instances: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const { uuid } = await addInstance(kernel, { companyId, backend: 'simulated', address, details: {} });
    instances.push(uuid);
  }
  return { ready: { instances } };
});
