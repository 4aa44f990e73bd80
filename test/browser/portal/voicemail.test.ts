import { INSTANCE_ONE } from '../../api/telephony/people';
import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { freePbxSide, numberOf } from '../../support/telephony/freepbx-side';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;
const DELETE_THEM = 'Delete the messages in the mailbox';

inBrowser('The portal of a company with a FreePBX', () => {
  let stack: TelephonyStack;
  let side: ReturnType<typeof freePbxSide>;
  let browser: TestBrowser;
  let owner: TestPage;

  beforeAll(async () => {
    stack = await openTelephony({}, 'freepbx');
    side = freePbxSide(stack);
    browser = await openBrowser();
    owner = await browser.page();
  });
  afterAll(async () => {
    await browser.close();
    await stack.close();
  });

  const row = (number: number) => owner.getByRole('row').filter({ hasText: String(number) });

  async function enter(): Promise<void> {
    await owner.goto(`http://127.0.0.1:${stack.node.port}/portal/extensions`);
    await owner.getByRole('button', { name: 'Olive Owner' }).click();
    await owner.getByRole('heading', { level: 1, name: 'Extensions' }).waitFor();
  }

  test('A change that deletes messages is refused until it is confirmed, in the form, in the list and in CSV', async () => {
    const [edited, retried, loaded] = [
      await side.withMessages(),
      await side.withMessages(),
      await side.withMessages(),
    ].map(numberOf) as [number, number, number];
    for (const number of [edited, retried]) {
      await stack.pbx.put(INSTANCE_ONE, number, {
        ...(await side.heldOf(number)),
        secret: 'set-by-hand',
      });
    }
    await enter();

    await row(edited).getByRole('button', { name: 'Edit' }).click();
    const form = owner.getByRole('dialog', { name: `Edit extension ${edited}` });
    await form.getByRole('textbox', { name: 'Name' }).fill('Renamed');
    await form.getByRole('button', { name: 'Save' }).click();
    const box = form.getByRole('checkbox', { name: DELETE_THEM });
    await box.waitFor();
    await form.getByText('must be true, as changing data.secret deletes the messages').waitFor();
    expect(await side.messagesOf(edited)).toBe(3);
    await box.check();
    await form.getByRole('button', { name: 'Save' }).click();
    await row(edited).getByText('Renamed').waitFor();
    expect(await side.messagesOf(edited)).toBeUndefined();
    const warnings = owner.getByRole('dialog').getByText('The messages and greetings of the mailbox were deleted');
    await warnings.waitFor();
    await owner.keyboard.press('Escape');
    await warnings.waitFor({ state: 'hidden' });

    await owner.getByRole('button', { name: 'Compare and repair' }).click();
    await owner.getByText(`Left as they are: 1, among them ${retried}`).waitFor();
    await row(retried).getByText('Differs on the PBX').waitFor();
    await row(retried).getByRole('button', { name: 'Try again' }).click();
    const question = owner.getByRole('dialog', { name: `Delete the messages of extension ${retried}?` });
    await question.getByRole('button', { name: DELETE_THEM }).click();
    await row(retried).getByText('On the PBX').waitFor();
    expect(await side.messagesOf(retried)).toBeUndefined();

    await owner.getByRole('navigation').first().getByRole('link', { name: 'Load from CSV' }).click();
    const csv = `extension,secret\r\n${loaded},loaded-secret-1\r\n`;
    const file = { name: 'secrets.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await owner.locator('input[type=file]').setInputFiles(file);
    const trial = owner.getByRole('button', { name: 'Try it without changing anything' });
    await trial.click();
    await owner.getByRole('checkbox', { name: /^Change these lines too/ }).check();
    await trial.click();
    await owner.getByRole('button', { name: 'Load 1 line' }).click();
    await until(
      () => side.heldOf(loaded),
      (held) => held?.secret === 'loaded-secret-1',
    );
    expect(await side.messagesOf(loaded)).toBeUndefined();
    expect(owner.troubles).toEqual([]);
  });
});
