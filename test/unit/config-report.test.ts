import { reportConfig } from '../../config/report';
import { variables } from '../../config/variables';

const SECRET = 'a-secret-of-more-than-thirty-two-characters';

describe('Configuration report', () => {
  const lineOf = (name: string, environment: Record<string, string>) =>
    reportConfig(environment).lines.find((line) => line.name === name);

  test('The report says where each value comes from', () => {
    const line = { group: 'How the stack is run', name: 'PORT', default: '9991' };
    expect(lineOf('PORT', {})).toEqual({ ...line, value: '9991', source: 'default' });
    expect(lineOf('PORT', { PORT: '8080' })).toEqual({ ...line, value: '8080', source: 'environment' });
    expect(reportConfig({}).lines).toHaveLength(Object.keys(variables).length);
  });

  test('The report masks secrets and the passwords in addresses', () => {
    const environment = {
      SECRET_KEY: SECRET,
      METRICS_TOKEN: 'hush-token',
      REDIS_URL: 'redis://:hush-redis@cache:6380/2',
      DATABASE_URL: 'mysql://app:hush-mysql@db/partyline',
    };
    expect(JSON.stringify(reportConfig(environment))).not.toMatch(/hush|a-secret/);
    expect(lineOf('REDIS_URL', environment)?.value).toBe('redis://:********@cache:6380/2');
    expect(lineOf('DATABASE_URL', environment)?.value).toBe('mysql://app:********@db/partyline');
    expect(lineOf('SECRET_KEY', environment)?.value).toBe('********');
    expect(lineOf('METRICS_TOKEN', environment)?.value).toBe('********');
  });

  test('The report shows valid values beside mistakes, and does not repeat the mistakes', () => {
    const { lines, mistakes } = reportConfig({ DATABASE_URL: 'app:hush-mysql@db', NODES: '3' });
    expect(mistakes).toEqual(['DATABASE_URL must be an address that begins with mysql://']);
    expect(lines.find(({ name }) => name === 'NODES')?.value).toBe('3');
    expect(JSON.stringify(lines)).not.toContain('hush');
  });
});
