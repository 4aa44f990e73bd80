/** Commands for companies that use telephony. */
import type { Command } from 'commander';
import type { Database } from '../src/kernel/mysql/pool';
import { publicUrlOf } from '../src/products';
import { createCompany } from '../src/telephony/commands/companies/change-companies';
import { inviteToPortal } from '../src/telephony/commands/portal/entry-links';
import type { CompanyId } from '../src/telephony/model/companies/company';
import { findCompany, listCompanies } from '../src/telephony/queries/companies/companies';
import { email, name } from './arguments';
import { ensureSecret, withTelephony } from './session';
import { facts, table } from './text';

interface AddOptions {
  readonly ownerEmail: string;
  readonly ownerName?: string;
}

export function addCompanyCommands(program: Command): void {
  const company = program.command('company').description('companies that use telephony');

  company
    .command('add')
    .description('found a company and print its key, this once')
    .argument('<name>', 'what it is called', name(190))
    .requiredOption('--owner-email <email>', 'its first contact, who owns it', email)
    .option('--owner-name <full name>', 'as others see them', name(100))
    .action(
      withTelephony(async (session, companyName: string, { ownerEmail, ownerName }: AddOptions) => {
        await ensureSecret(session);
        const { id, key, ownerId } = await createCompany(session.kernel, {
          name: companyName,
          email: ownerEmail,
          owner: { email: ownerEmail, ...splitName(ownerName ?? ownerEmail.split('@')[0]!) },
        });
        return facts({ id, name: companyName, owner: ownerEmail, owner_id: ownerId, key });
      }),
    );

  company
    .command('invite')
    .description('print a link that signs a contact in to the portal, once; without --email, the owner')
    .argument('<name or id>', 'the company')
    .option('--email <email>', 'another contact', email)
    .action(
      withTelephony(async ({ kernel, config }, nameOrId: string, { email: address }: { email?: string }) => {
        const id = await getCompany(kernel.mysql, nameOrId);
        const { contact, link } = await inviteToPortal(kernel, { companyId: id, email: address }, publicUrlOf(config));
        return { data: { company: id, email: contact.workEmail, link }, text: link };
      }),
    );

  company
    .command('list')
    .description('every company')
    .action(
      withTelephony(async ({ kernel }) => {
        const companies = await listCompanies(kernel.mysql);
        const rows = companies.map((each) => [each.id, each.name, each.status, each.contacts, each.createdAt]);
        return {
          data: { companies: companies.map(({ createdAt, ...each }) => ({ ...each, created_at: createdAt })) },
          text: table(['id', 'name', 'status', 'contacts', 'created'], rows, 'there are no companies'),
        };
      }),
    );
}

export async function getCompany(db: Database, nameOrId: string): Promise<CompanyId> {
  const id = await findCompany(db, nameOrId);
  if (id === undefined) throw new Error(`there is no company "${nameOrId}": see "partyline company list"`);
  return id;
}

/** Takes the last word as the family name. */
function splitName(fullName: string): { firstName: string; lastName: string } {
  const words = fullName.split(/\s+/);
  const lastName = words.length > 1 ? words.pop()! : '';
  return { firstName: words.join(' '), lastName };
}
