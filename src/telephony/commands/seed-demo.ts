/** Fills an empty database with the two companies that tutorials and tests rely on. Leaves any other alone. */
import { Fault } from '../../kernel/fault';
import { newId } from '../../kernel/id';
import type { Storage } from '../../kernel/kernel';
import type { ContactId } from '../model/contacts/contact';
import { DEMO_CARRIER_TOKENS, DEMO_KEYS } from '../model/published';
import * as companies from '../store/companies/companies';
import * as contacts from '../store/contacts/contacts';
import * as sites from '../store/sites/sites';
import { createCompany } from './companies/change-companies';
import { addCarrierAccount, addTextNumber } from './texting/change-carriers';

/** Returns whether it seeded. */
export async function seedDemo(kernel: Storage, pbxAddress: string): Promise<boolean> {
  if (!(await companies.isEmpty(kernel.mysql))) return false;
  try {
    const one = await createCompany(kernel, {
      name: 'Example Telecom',
      email: 'owner@example.com',
      owner: { email: 'owner@example.com', firstName: 'Olive', lastName: 'Owner' },
      key: DEMO_KEYS.one,
    });
    const two = await createCompany(kernel, {
      name: 'Other Telecom',
      email: 'owner@other.example',
      owner: { email: 'owner@other.example', firstName: 'Oscar', lastName: 'Other' },
      key: DEMO_KEYS.two,
    });
    await kernel.transaction(async ({ db }) => {
      const member = { workEmail: 'member@example.com', firstName: 'Max', lastName: 'Member' };
      await contacts.insert(db, { id: newId() as ContactId, companyId: one.id, isPrimary: false, ...member });
      for (const [index, { id: companyId, locationId }] of [one, two].entries()) {
        const uuid = `00000000-0000-4000-8000-00000000000${index + 1}`;
        await sites.insertInstance(db, {
          id: newId(),
          uuid,
          companyId,
          locationId,
          backend: 'simulated',
          address: pbxAddress,
        });
      }
    });
    for (const [{ id: companyId }, word, place] of [
      [one, 'one', 1],
      [two, 'two', 2],
    ] as const) {
      const credentials = { secret: `demo-secret-${word}` };
      const account = { companyId, carrier: 'simulated', credentials, token: DEMO_CARRIER_TOKENS[word] } as const;
      const { id: accountId } = await addCarrierAccount(kernel, account);
      await addTextNumber(kernel, { number: `+1555010000${place}`, accountId, label: 'Main number' });
    }
    return true;
  } catch (error) {
    // Another process was first.
    if (error instanceof Fault && error.kind === 'conflict') return false;
    throw error;
  }
}
