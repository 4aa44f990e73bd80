import { ownPicture } from '../../../web/shared/ui/own-picture';

test.each([
  ['/user_avatars/1/a.png?x=x&version=2', '/user_avatars/1/a.png?x=x&version=2'],
  ['/thumbnail?url=a&size=full', '/thumbnail?url=a&size=full'],
  ['https://a.example/x.png?y=1&z', '/thumbnail?url=https%3A%2F%2Fa.example%2Fx.png%3Fy%3D1%26z&size=thumbnail'],
  ['HTTP://a.example/x.png', '/thumbnail?url=HTTP%3A%2F%2Fa.example%2Fx.png&size=thumbnail'],
  ['http://a/\ud83d', '/thumbnail?url=http%3A%2F%2Fa%2F%EF%BF%BD&size=thumbnail'],
  ['//a.example/x.png', undefined],
  ['/\\a.example/x.png', undefined],
  ['data:image/svg+xml,x', undefined],
  ['javascript:alert(1)', undefined],
  ['', undefined],
])('The page loads the picture %j from %j', (address, path) => expect(ownPicture(address)).toBe(path));
