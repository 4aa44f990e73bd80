import { hideValues } from '../../../../src/kernel/mysql/hide-values';

const failed = (fields: object, message: string) => Object.assign(new Error(message), fields);

describe('Errors of MySQL', () => {
  test.each([
    ["Data too long for column 'first_name' at row 1", 1406, 'ER_DATA_TOO_LONG', 'column first_name'],
    ["Duplicate entry 'secret' for key 'chat_users.email'", 1062, 'ER_DUP_ENTRY', 'key chat_users.email'],
    ["Incorrect string value: '\\xC3\\xA9secret' for column `db`.`t`.`id` at row 1", 1366, 'ER_TRUNCATED', 'column id'],
    ["Table 'db.gone' doesn't exist", 1146, 'ER_NO_SUCH_TABLE', 'table db.gone'],
  ])('The MySQL error "%s" keeps its code and name, and no value', (sqlMessage, errno, code, name) => {
    const sql = "insert into t (x) values ('secret')";
    const error = failed({ code, errno, sqlMessage, sql, bindings: ['secret'] }, `${sql} - ${sqlMessage}`);
    hideValues(error);
    expect(error.message).toBe(`MySQL refused a statement: ${code} (${errno}), ${name}`);
    expect(JSON.stringify(Object.entries(error)) + error.stack).not.toContain('secret');
    expect(error.stack).toContain('hide-values.test');
  });

  test('A MySQL error whose message quotes a value like a name keeps only its code', () => {
    const sqlMessage = "You have an error near ''secret' for key 'x' and more'";
    const error = failed({ code: 'ER_PARSE_ERROR', errno: 1064, sqlMessage }, `a\n    at secret - ${sqlMessage}`);
    hideValues(error);
    expect(error.message).toBe('MySQL refused a statement: ER_PARSE_ERROR (1064)');
    expect(error.stack).not.toContain('secret');
  });

  test('A MySQL error that is not about the statement keeps the message of the driver, without the statement', () => {
    const error = failed({ code: 'PROTOCOL_CONNECTION_LOST' }, "select 'secret - x' - Connection lost");
    hideValues(error);
    hideValues(error);
    expect(error.message).toBe('Connection lost');
    expect(error.stack).not.toContain('secret');
  });
});
