/** Adds and deletes text templates. Every user who may send texts may do both. */
import { ensure } from '../../../kernel/fault';
import { newId } from '../../../kernel/id';
import type { Transact } from '../../../kernel/mysql/transaction';
import type { Caller } from '../../model/contacts/contact';
import type { TextTemplate } from '../../model/portal/portal';
import { MAX_TEMPLATES, noTemplate, templateKnown, tooManyTemplates } from '../../model/portal/portal-faults';
import * as audit from '../../store/companies/audit';
import * as companies from '../../store/companies/companies';
import * as templates from '../../store/portal/text-templates';

export async function keepTemplate(transaction: Transact, by: Caller, text: string): Promise<TextTemplate> {
  const template = { id: newId(), text };
  await transaction(async ({ db }) => {
    await companies.lock(db, by.companyId);
    const known = await templates.list(db, by.companyId);
    ensure(
      known.every((each) => each.text !== text),
      templateKnown(),
    );
    ensure(known.length < MAX_TEMPLATES, tooManyTemplates());
    await templates.insert(db, by.companyId, template);
    await audit.record(db, by, { action: 'template.create', object: template.id });
  });
  return template;
}

export async function forgetTemplate(transaction: Transact, by: Caller, id: string): Promise<void> {
  await transaction(async ({ db }) => {
    ensure(await templates.remove(db, by.companyId, id), noTemplate());
    await audit.record(db, by, { action: 'template.delete', object: id });
  });
}
