import sharp from 'sharp';

export async function smallPicture(): Promise<Uint8Array<ArrayBuffer>> {
  const image = sharp({
    create: { width: 640, height: 480, channels: 3, background: { r: 200, g: 120, b: 40 } },
  });
  return new Uint8Array(await image.png().toBuffer());
}
