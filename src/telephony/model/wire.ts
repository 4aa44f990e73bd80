/** Telephony's objects as they go over the wire. */
import type { Company } from './company';

export function companyObject(company: Company, employees: number): Record<string, unknown> {
  return {
    id: company.id,
    name: company.name,
    status: company.status,
    ...company.details,
    employees,
    created: company.createdAt.toISOString(),
    updated: company.updatedAt.toISOString(),
  };
}
