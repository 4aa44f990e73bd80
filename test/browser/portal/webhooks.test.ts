import { axeFindings, COLOURS } from '../../support/browser/axe';
import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { outOfSight } from '../../support/browser/out-of-sight';
import { openOtherServer, OTHER_SERVER, type OtherServer } from '../../support/servers/other-server';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { startWorkers } from '../../support/kernel/workers';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Webhooks, in the portal', () => {
  let stack: TelephonyStack;
  let other: OtherServer;
  let browser: TestBrowser;
  let owner: TestPage;

  beforeAll(async () => {
    other = await openOtherServer();
    stack = await openTelephony(OTHER_SERVER);
    await startWorkers(stack.cluster, 'portal-webhooks');
    browser = await openBrowser();
    owner = await browser.page();
    await owner.goto(`http://127.0.0.1:${stack.node.port}/portal/webhooks`);
    await owner.getByRole('button', { name: 'Olive Owner' }).click();
    await owner.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await stack.close();
    await other.close();
  });

  const posted = (path: string) => other.received.filter((each) => each.path === path);
  const looks = async (within?: string): Promise<void> => {
    expect(await axeFindings(owner, within === undefined ? {} : { within })).toEqual([]);
    await owner.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(owner, { rules: COLOURS, ...(within === undefined ? {} : { within }) })).toEqual([]);
    await owner.emulateMedia({ colorScheme: 'light' });
  };

  test('An owner changes a webhook, gives it a new secret and sends several events once more', async () => {
    for (const path of ['/old', '/new']) other.at(path, (response) => void response.writeHead(204).end());
    await owner.getByLabel('Address').fill(other.url('/old'));
    await owner.getByRole('button', { name: 'Add the webhook' }).click();
    await owner.getByText('The secret for signatures').waitFor();

    await owner.getByRole('button', { name: 'Edit' }).click();
    const edit = owner.getByRole('dialog', { name: 'Change the webhook' });
    await edit.getByLabel('Address').fill('nowhere');
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.getByText('without a password').waitFor();
    await edit.getByLabel('Address').fill(other.url('/new'));
    await edit.getByLabel('call.ended').check();
    await looks('[role=dialog]');
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.waitFor({ state: 'detached' });
    await owner.getByText(other.url('/new')).waitFor();

    await owner.getByRole('button', { name: 'New secret' }).click();
    const rotate = owner.getByRole('dialog', { name: 'New secret' });
    await looks('[role=dialog]');
    await rotate.getByRole('button', { name: 'New secret' }).click();
    await rotate.getByText('It is shown this once.').waitFor();
    await owner.keyboard.press('Escape');
    await owner.getByText('Also signed with the previous secret until').waitFor();

    await owner.getByRole('button', { name: 'Deliveries' }).click();
    for (const count of [1, 2]) {
      await owner.getByRole('button', { name: 'Send a test event' }).click();
      await until(() => posted('/new').length === count);
    }
    await until(
      () => owner.getByRole('row').filter({ hasText: 'Taken' }).count(),
      (rows) => rows === 2,
    );
    await owner.getByText('webhook.test').first().click();
    await owner.getByText('"company_id"').first().waitFor();
    await owner.getByRole('button', { name: 'Choose all that are over' }).click();
    await looks();
    await owner.getByRole('button', { name: 'Send 2 once more' }).click();
    await until(() => posted('/new').length === 4);
    expect(posted('/old')).toEqual([]);
    for (const width of [1280, 360]) {
      await owner.setViewportSize({ width, height: 800 });
      expect(await outOfSight(owner)).toEqual([]);
      if (process.env['SHOTS'])
        await owner.screenshot({ path: `${process.env['SHOTS']}/webhooks-${width}.png`, fullPage: true });
    }
  });
});
