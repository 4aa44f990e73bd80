/** Phones of extensions that were ordered, registered at the Asterisk of a stack. */
import { openCallPhone, type CallPhone } from '../../../support/telephony/calls/call-phone';
import { ASTERISK, type AsteriskStack } from '../asterisk-stack';

export interface OrderedPhones {
  open(number: number, data?: object, user?: string): Promise<CallPhone>;
  at(number: number): CallPhone;
  /** Of the extension. */
  idOf(number: number): string;
  close(): void;
}

export function openPhones(stack: AsteriskStack): OrderedPhones {
  const phones = new Map<number, CallPhone>();
  const ids = new Map<number, string>();
  return {
    async open(number, more = {}, user) {
      const data = { id: number, name: `Phone ${number}`, qualifyfreq: '0', ...more };
      const body = user === undefined ? { data } : { data, user };
      const made = await stack.people.owner('POST', `/instances/${ASTERISK}/bulks/extensions`, body);
      expect(made.status).toBe(201);
      ids.set(number, made.body._id as string);
      const phone = await openCallPhone({ port: stack.sipPort, user: number, secret: made.body.data.secret as string });
      phones.set(number, phone);
      await phone.register();
      return phone;
    },
    at: (number) => phones.get(number)!,
    idOf: (number) => ids.get(number)!,
    close() {
      for (const phone of phones.values()) phone.close();
    },
  };
}
