/** Sending later as people do it in a page. */
import type { TestUser } from '../chat/chat';
import type { TestPage } from './browser';

interface Listed {
  readonly scheduled_message_id: number;
  readonly to: number | readonly number[];
  readonly topic?: string;
  readonly content: string;
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
}

export const listed = async (by: TestUser): Promise<readonly Listed[]> =>
  (await by.get('/scheduled_messages')).body['scheduled_messages'];

export const scheduledEntry = (page: TestPage) =>
  page.getByRole('navigation').getByRole('link', { name: /^Scheduled/ });

export async function openSendLater(page: TestPage): Promise<void> {
  await page.getByRole('button', { name: 'Choose time or key' }).click();
  await page.getByRole('menuitem', { name: 'Send later…' }).click();
  await page.getByRole('dialog', { name: 'Send later' }).waitFor();
}

/** A time of day as the field has it: `2026-11-20T09:00`. */
export async function chooseTime(page: TestPage, wall: string, action: string): Promise<void> {
  await page.getByRole('dialog').getByLabel('Another time').fill(wall);
  await page.getByRole('dialog').getByRole('button', { name: action }).click();
}
