import { inboundText, postAsCarrier } from '../../api/telephony/texting/carrier-requests';
import { INSTANCE_ONE } from '../../api/telephony/people';
import { COLOURS, axeFindings } from '../../support/browser/axe';
import { openBalancer, type Balancer } from '../../support/proxies/balancer';
import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { startMainNode, type MainNode } from '../../support/processes/main-node';
import { killAll } from '../../support/processes/processes';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { outOfSight } from '../../support/browser/out-of-sight';
import { smallTargets, TELEPHONES } from '../../support/browser/targets';
import { until } from '../../support/until';
import { startWorkers } from '../../support/kernel/workers';

const inBrowser = hasBrowser ? describe : describe.skip;
const LINES = 1000;

inBrowser('The portal in a browser', () => {
  let stack: TelephonyStack;
  /** A separate process, which is killed. */
  let doomed: MainNode;
  let balancer: Balancer;
  let browser: TestBrowser;
  let owner: TestPage;

  beforeAll(async () => {
    stack = await openTelephony();
    const { cluster, node } = stack;
    await startWorkers(cluster, 'texting-inbound', 'texting-outbound');
    doomed = await startMainNode(cluster.environment);
    balancer = await openBalancer([doomed.port, node.port]);
    browser = await openBrowser();
    owner = await browser.page();
    await owner.goto(`${balancer.url}/portal/extensions`);
    await owner.getByRole('button', { name: 'Olive Owner' }).click();
    await owner.getByRole('heading', { level: 1, name: 'Extensions' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await balancer.close();
    await killAll();
    await stack.close();
  });

  /** On a phone it is a drawer. */
  const openSide = async (page: TestPage): Promise<void> => {
    const button = page.getByRole('button', { name: 'Open the side bar' });
    await page.getByRole('navigation').or(button).first().waitFor();
    if (await button.isVisible()) await button.click();
  };
  const open = async (page: TestPage, part: string): Promise<void> => {
    await openSide(page);
    // The name may be followed by the count of unread texts.
    await page.getByRole('navigation').first().getByRole('link', { name: part }).click();
    await page.getByRole('heading', { level: 1, name: part }).waitFor();
  };
  const dialog = (page: TestPage, name: string | RegExp) => page.getByRole('dialog', { name });
  const row = (page: TestPage, text: string | RegExp) => page.getByRole('row').filter({ hasText: text });

  test('An owner adds a person, who signs in by the link and is refused actions that only owners may take', async () => {
    await open(owner, 'People');
    await owner.getByRole('button', { name: 'Add a person' }).click();
    const form = dialog(owner, 'Add a person');
    await form.getByRole('textbox', { name: 'First name' }).fill('Nina');
    await form.getByRole('textbox', { name: 'Email address' }).fill('nina');
    await form.getByRole('button', { name: 'Add a person' }).click();
    await form.getByText('This is not an email address.').waitFor();
    await form.getByRole('textbox', { name: 'Email address' }).fill('nina@example.com');
    await form.getByRole('button', { name: 'Add a person' }).click();
    const link = await dialog(owner, 'Invite Nina').locator('code').textContent();
    await owner.keyboard.press('Escape');
    await row(owner, 'nina@example.com').getByText('Invited').waitFor();

    const nina = await browser.page();
    await nina.goto(link!);
    await nina.getByRole('button', { name: 'Enter the portal' }).click();
    await nina.getByRole('link', { name: 'Choose a password' }).click();
    await nina.getByLabel('New password', { exact: true }).fill('seven quiet herons at dusk');
    await nina.getByRole('button', { name: 'Set the password' }).click();
    await nina.getByLabel('Current password', { exact: true }).waitFor();
    expect(new URL(nina.url()).hash).toBe('');
    await open(nina, 'API keys');
    await nina.getByText('Only the owner of the company can see this.').waitFor();
    await nina.getByRole('button', { name: 'Sign out' }).click();
    await nina.getByRole('textbox', { name: 'Email' }).fill('nina@example.com');
    await nina.getByLabel('Password', { exact: true }).fill('seven quiet herons at dusk');
    await nina.getByRole('button', { name: 'Sign in', exact: true }).click();
    // The view that she left.
    await nina.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    expect(nina.troubles).toEqual([]);
    await nina.context().close();
  });

  test('A form keeps its values when the PBX fails, and extensions that the PBX lost are repaired', async () => {
    await open(owner, 'Extensions');
    await owner.getByRole('button', { name: 'Add an extension' }).click();
    const form = dialog(owner, 'Add an extension');
    await form.getByRole('textbox', { name: 'Number' }).fill('2001');
    await form.getByRole('button', { name: 'Add an extension' }).click();
    await form.getByText('At most 100 characters, and not empty.').waitFor();
    await form.getByRole('textbox', { name: 'Name' }).fill('Front desk');
    await form.getByRole('combobox', { name: 'Person' }).fill('Nina');
    await owner.getByRole('option', { name: 'Nina' }).click();
    await stack.pbx.fault({ mode: 'error', times: 1 });
    await form.getByRole('button', { name: 'Add an extension' }).click();
    await form.getByRole('alert').waitFor();
    expect(await form.getByRole('textbox', { name: 'Number' }).inputValue()).toBe('2001');
    await stack.pbx.fault({ mode: 'ok' });
    await form.getByRole('button', { name: 'Add an extension' }).click();
    const secrets = dialog(owner, /^Extension 2001/);
    await secrets.getByText('2001', { exact: true }).waitFor();
    const [held] = await stack.pbx.holds(INSTANCE_ONE);
    await secrets.getByText(held!.secret, { exact: true }).waitFor();
    await secrets.getByRole('img', { name: 'QR code of the account' }).waitFor();
    await owner.keyboard.press('Escape');
    await row(owner, '2001').getByText('On the PBX').waitFor();
    await row(owner, '2001').getByText('Nina').waitFor();

    await stack.pbx.remove(INSTANCE_ONE, 2001);
    await owner.getByRole('button', { name: 'Compare and repair' }).click();
    await owner.getByText('Repaired: 2001. Unknown extensions on the PBX: 0.', { exact: false }).waitFor();
    expect(await stack.pbx.numbers(INSTANCE_ONE)).toEqual([2001]);
  });

  test('A CSV file creates a thousand extensions, after a dry run that names the invalid row', async () => {
    await open(owner, 'Load from CSV');
    const lines = Array.from({ length: LINES - 1 }, (_, at) => `${3000 + at},"Desk ${at}, floor 2",,yes`);
    const csv = ['extension,name,unheard_of,callwaiting', ...lines, 'none,Broken,,'].join('\r\n');
    const file = { name: 'export.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await owner.locator('input[type=file]').setInputFiles(file);
    await owner.getByRole('combobox', { name: 'Field of the column unheard_of' }).waitFor();
    await owner.getByRole('button', { name: 'Try it without changing anything' }).click();
    await owner.getByText(`${LINES - 1} lines can be loaded, 1 cannot.`).waitFor({ timeout: 600_000 });
    await row(owner, /^1001/).getByText('extension: ').waitFor();
    await owner.getByRole('button', { name: `Load ${LINES - 1} lines` }).click();
    await owner.getByRole('progressbar').waitFor();
    await owner.reload();
    await owner.getByText(`Finished: ${LINES} lines, 1 of them failed.`).waitFor({ timeout: 600_000 });
    await open(owner, 'Extensions');
    await owner.getByText('1–50 of 1,000').waitFor();
    await owner.getByRole('searchbox').fill('desk 777');
    await row(owner, '3777').getByText('On the PBX').waitFor();
    await owner.getByText('1–1 of 1').waitFor();
  }, 1_500_000);

  test('A text that arrives on another node while the first is killed is shown and can be answered', async () => {
    await open(owner, 'Texting');
    await owner.getByText('Live', { exact: true }).waitFor();
    await postAsCarrier(stack.node, inboundText({ text: 'Is anybody there?' }));
    await owner.getByRole('link', { name: 'Texting 1 unread' }).waitFor();
    await owner
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: /1 unread/ })
      .click();
    await owner.getByRole('article').filter({ hasText: 'Is anybody there?' }).waitFor();
    doomed.kill('SIGKILL');
    await postAsCarrier(stack.node, inboundText({ text: 'Hello?' }));
    await owner.getByRole('article').filter({ hasText: 'Hello?' }).waitFor();
    const box = owner.getByRole('textbox', { name: 'Write a message' });
    await box.fill('Yes, we are.');
    await owner.getByRole('button', { name: 'Templates' }).click();
    await owner.getByRole('menuitem', { name: 'Keep this text as a template' }).click();
    await box.fill('');
    await owner.getByRole('button', { name: 'Templates' }).click();
    await owner.getByRole('menuitem', { name: 'Yes, we are.' }).click();
    await box.press('Control+Enter');
    const answer = owner.getByRole('article').filter({ hasText: 'Yes, we are.' });
    await answer.filter({ hasText: /Sent|Delivered/ }).waitFor();
    expect(await owner.getByRole('article').count()).toBe(3);
    await until(async () => (await owner.getByRole('link', { name: /unread/ }).count()) === 0);
  });

  test('An owner creates a key, signs in with it elsewhere, and sees that in the audit trail', async () => {
    await open(owner, 'API keys');
    await owner.getByRole('textbox', { name: 'Name of the key' }).fill('CRM');
    await owner.getByRole('button', { name: 'Make the key' }).click();
    const key = await owner.locator('code').textContent();
    const other = await browser.page({ locale: 'de-DE' });
    await other.goto(`${balancer.url}/portal/extensions`);
    await other.getByRole('button', { name: 'Mit API-Schlüssel anmelden' }).click();
    await other.getByLabel('API-Schlüssel', { exact: true }).fill(key!);
    await other.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await other.getByRole('heading', { level: 1, name: 'Nebenstellen' }).waitFor();
    expect(await other.title()).toMatch(/^Nebenstellen · .* · Telefonie-Portal$/);
    // The password would outlive the key.
    expect(await other.getByRole('link', { name: 'Wählen Sie ein Passwort' }).count()).toBe(0);
    // Refusals of the server are shown in the user's language.
    await other.getByRole('button', { name: 'Nebenstelle hinzufügen' }).click();
    const form = dialog(other, 'Nebenstelle hinzufügen');
    await form.getByRole('textbox', { name: 'Nummer', exact: true }).fill('zwölf');
    await form.getByRole('button', { name: 'Nebenstelle hinzufügen' }).click();
    await form.getByText('muss eine Zahl sein', { exact: true }).waitFor();
    await other.keyboard.press('Escape');
    await open(owner, 'Audit trail');
    await row(owner, 'opened_by: key').first().waitFor();
    await open(owner, 'API keys');
    await row(owner, 'CRM').getByRole('button', { name: 'Delete' }).click();
    await dialog(owner, 'Delete the key CRM?').getByRole('button', { name: 'Delete' }).click();
    await other.getByRole('link', { name: 'Personen' }).click();
    await other.getByText('Ihre Sitzung ist beendet.', { exact: false }).waitFor();
    expect(other.troubles).toEqual([]);
    await other.context().close();
  });

  test('Axe finds nothing on any page of the portal, in light and dark mode, and all fit fingers on a phone', async () => {
    const page = await browser.page({
      viewport: TELEPHONES.upright,
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    });
    await page.goto(`${balancer.url}/portal/extensions`);
    await page.getByRole('button', { name: 'Olive Owner' }).waitFor();
    const found = [...(await axeFindings(page)), ...(await smallTargets(page))];
    await page.getByRole('button', { name: 'Olive Owner' }).click();
    await page.getByRole('heading', { level: 1, name: 'Extensions' }).waitFor();
    await openSide(page);
    const close = page.getByRole('button', { name: 'Close the side bar' });
    await until(() => close.evaluate((button) => button === document.activeElement));
    found.push(...(await axeFindings(page, { within: 'nav' })));
    const parts = await page.getByRole('navigation').first().getByRole('link').allTextContents();
    expect(parts.length).toBeGreaterThan(7);
    await page.keyboard.press('Escape');
    await close.waitFor({ state: 'hidden' });
    const opener = page.getByRole('button', { name: 'Open the side bar' });
    await until(() => opener.evaluate((button) => button === document.activeElement));
    for (const part of parts) {
      await open(page, part);
      await until(async () => (await page.locator('[aria-busy=true]').count()) === 0);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
        const rules = colorScheme === 'dark' ? COLOURS : undefined;
        found.push(...(await axeFindings(page, { rules })).map((each) => `${colorScheme} ${each}`));
      }
      found.push(...(await outOfSight(page)));
      for (const size of [TELEPHONES.sideways, TELEPHONES.upright]) {
        found.push(...(await smallTargets(page)));
        await page.setViewportSize(size);
      }
    }
    await open(page, 'Extensions');
    await page.getByRole('button', { name: 'Add an extension' }).click();
    await dialog(page, 'Add an extension').waitFor();
    found.push(...(await axeFindings(page, { within: '[role=dialog]' })), ...(await smallTargets(page)));
    await page.keyboard.press('Escape');
    await open(page, 'Your access');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('button', { name: 'Seitenleiste öffnen' }).click();
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en');
    await page.getByRole('button', { name: 'Max Member' }).click();
    await open(page, 'Extensions');
    await page.getByText('Only the owner may delete an extension that nobody has.').first().waitFor();
    expect(found).toEqual([]);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('The owner’s page has reported no error', () => {
    expect(owner.troubles).toEqual([]);
  });
});
