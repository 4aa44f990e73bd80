/** Everything that opens above a conversation of the chat: menus, dialogs, cards, pickers. */
import type { TestNode } from '../kernel/cluster';
import { until } from '../until';
import { messageBox, type TestPage } from './browser';
import { TOPIC } from './chat-places';

/** Loads the conversation with everything in it, and waits for the people, who come last: menus and cards need them. */
export async function loadConversation(page: TestPage, node: TestNode): Promise<void> {
  await page.goto(node.url + TOPIC);
  await page.getByRole('article').last().waitFor();
  await page.getByRole('button', { name: /^People \d/ }).waitFor();
}

/** Chooses the last message. */
async function choose(page: TestPage): Promise<void> {
  await page.getByRole('article').last().focus();
  await page.keyboard.press('End');
  await page.getByRole('article').last().getByRole('button', { name: 'More actions' }).waitFor();
}

/** A card that a click has opened is there by then. */
const CARD_MS = 15_000;

async function isStill(target: ReturnType<TestPage['locator']>): Promise<void> {
  let last = -1;
  await until(async () => {
    const before = last;
    last = (await target.boundingBox())?.y ?? -1;
    return last >= 0 && last === before;
  });
}

const dialog = (page: TestPage) => page.getByRole('dialog').first().waitFor();
const menu = (page: TestPage) => page.getByRole('menu').waitFor();

async function byKey(page: TestPage, key: string): Promise<void> {
  await choose(page);
  await page.keyboard.press(key);
  await dialog(page);
}

async function more(page: TestPage, entry?: string): Promise<void> {
  await choose(page);
  await page.getByRole('article').last().getByRole('button', { name: 'More actions' }).click();
  await menu(page);
  if (entry === undefined) return;
  await page.getByRole('menuitem', { name: entry }).click();
  await dialog(page);
}

async function viewMenu(page: TestPage, entry?: string): Promise<void> {
  await page.getByRole('button', { name: 'What to do with this view' }).click();
  await menu(page);
  if (entry === undefined) return;
  await page.getByRole('menuitem', { name: entry }).click();
  await dialog(page);
}

async function openSide(page: TestPage): Promise<void> {
  const button = page.getByRole('button', { name: 'Open the side bar' });
  if (await button.isVisible()) await button.click();
  await page.getByRole('navigation').getByRole('link', { name: 'Inbox' }).waitFor();
}

async function fill(page: TestPage, text: string): Promise<void> {
  await messageBox(page).fill('');
  await messageBox(page).pressSequentially(text);
}

async function formatting(page: TestPage): Promise<void> {
  await fill(page, 'Some words');
  const bar = page.getByRole('toolbar', { name: 'Formatting' });
  if (!(await bar.isVisible())) await page.getByRole('button', { name: 'Formatting' }).click();
  await bar.waitFor();
}

/** What opens above the topic, by name. Escape closes each of them, or another page. */
export const OPENED: Readonly<Record<string, (page: TestPage) => Promise<void>>> = {
  'the actions of a message': (page) => choose(page),
  'the menu of a message': (page) => more(page),
  'the question before a deletion': (page) => more(page, 'Delete the message'),
  'the dialog that moves a message': (page) => more(page, 'Move to another topic'),
  'the history of a message': (page) => more(page, 'Show edit history'),
  'the readers of a message': (page) => more(page, 'Read by'),
  'the emoji for a reaction': (page) => byKey(page, ':'),
  'the card of a person': (page) => byKey(page, 'u'),
  'the shortcuts': (page) => byKey(page, '?'),
  'the palette': (page) => byKey(page, 'Control+k'),
  'the drafts': (page) => byKey(page, 'd'),
  'the card of a group': async (page) => {
    const mention = page.locator('.user-group-mention').first();
    const card = page.getByRole('dialog').first();
    // The list draws more rows while it scrolls. A click into that hits nothing, and its reader clicks again.
    await until(async () => {
      if (await card.isVisible()) return true;
      await mention.scrollIntoViewIfNeeded();
      await isStill(mention);
      await mention.click();
      return card.waitFor({ timeout: CARD_MS }).then(
        () => true,
        () => false,
      );
    });
  },
  'a picture': async (page) => {
    await page.getByRole('img', { name: 'red.png' }).first().click();
    await page.getByRole('dialog', { name: 'Pictures' }).getByRole('img').waitFor();
  },
  'the menu of the view': (page) => viewMenu(page),
  'the dialog that moves a topic': (page) => viewMenu(page, 'Move to another stream'),
  'the dialog that renames a topic': (page) => viewMenu(page, 'Rename the topic'),
  'the question before a topic is deleted': (page) => viewMenu(page, 'Delete the topic'),
  'the question before a stream is archived': (page) => viewMenu(page, 'Archive the stream'),
  'the choice of a date': (page) => viewMenu(page, 'Jump to a date'),
  'the people of the stream': async (page) => {
    const panel = page.getByRole('complementary', { name: 'People' });
    if (!(await panel.isVisible())) await page.getByRole('button', { name: /^People/ }).click();
    await panel.getByRole('button', { name: /Max Member/ }).waitFor();
  },
  'the side bar': (page) => openSide(page),
  'the menu of a stream': async (page) => {
    await openSide(page);
    await page
      .getByRole('navigation')
      .getByRole('button', { name: 'Menu of the stream general' })
      .click({ force: true });
    await menu(page);
  },
  'the own menu': async (page) => {
    await openSide(page);
    await page.locator('[data-own-menu]').click();
    await menu(page);
  },
  'the own status': async (page) => {
    await openSide(page);
    await page.locator('[data-own-menu]').click();
    await page.getByRole('menuitem', { name: 'Set a status' }).click();
    await dialog(page);
  },
  'suggestions for a search': async (page) => {
    await page.locator('#search').focus();
    await page.keyboard.type('is:');
    await page.getByRole('option').first().waitFor();
  },
  'the formatting of a text': formatting,
  'the preview of a text': async (page) => {
    await formatting(page);
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByRole('region', { name: 'Preview' }).getByText('Some words').waitFor();
  },
  'completions for a text': async (page) => {
    await fill(page, '@Ma');
    await page.getByRole('option').first().waitFor();
  },
  'emoji for a text': async (page) => {
    await page.getByRole('button', { name: 'Insert an emoji' }).click();
    await dialog(page);
  },
  'the choice of the key that sends': async (page) => {
    await fill(page, 'Some words');
    await page.getByRole('button', { name: 'Choose time or key' }).click();
    await menu(page);
  },
  'the choice of a time to send': async (page) => {
    await fill(page, 'Some words');
    await page.getByRole('button', { name: 'Choose time or key' }).click();
    await page.getByRole('menuitem', { name: 'Send later…' }).click();
    await dialog(page);
  },
  'the choice of a time for a reminder': (page) => more(page, 'Remind me…'),
  'a note': async (page) => {
    await more(page);
    await page.getByRole('menuitem', { name: 'Mark as unread from here' }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await viewMenu(page);
    await page.getByRole('menuitem', { name: 'Mark the topic as read' }).click();
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).waitFor();
  },
};
