// A picture as numbers: how bright it is on any part of it, and where it changes. Knows no page.

const CHANNELS = 3;

/** Red, green and blue of a picture, {width, height, data} as a canvas gives it, summed up so that means cost nothing. */
export class Pixels {
  #sums = [];

  #data;

  /** Time and memory O(pixels): some 30 bytes each. */
  constructor({ width, height, data }) {
    this.#data = data;
    this.width = width;
    this.height = height;
    this.light = new Uint8Array(width * height);
    for (let pixel = 0; pixel < this.light.length; pixel++) {
      this.light[pixel] = (3 * data[4 * pixel] + 4 * data[4 * pixel + 1] + data[4 * pixel + 2]) >> 3;
    }
    for (let channel = 0; channel < CHANNELS; channel++) this.#sums.push(summedUp(width, height, data, channel));
  }

  /** A part of the picture, {left, top, width, height}, as a picture of its own. */
  part({ left, top, width, height }) {
    const data = new Uint8ClampedArray(4 * width * height);
    for (let row = 0; row < height; row++) {
      const start = 4 * ((top + row) * this.width + left);
      data.set(this.#data.subarray(start, start + 4 * width), 4 * row * width);
    }
    return new Pixels({ width, height, data });
  }

  /** The mean of a channel, 0 to 2, over the pixels from *left*, *top* up to but without *right*, *bottom*. */
  mean(channel, left, top, right, bottom) {
    const sums = this.#sums[channel];
    const stride = this.width + 1;
    const whole = sums[bottom * stride + right] - sums[top * stride + right] - sums[bottom * stride + left] + sums[top * stride + left];
    return whole / ((right - left) * (bottom - top));
  }
}

function summedUp(width, height, data, channel) {
  const stride = width + 1;
  const sums = new Float64Array(stride * (height + 1));
  for (let row = 0; row < height; row++) {
    let line = 0;
    for (let column = 0; column < width; column++) {
      line += data[4 * (row * width + column) + channel];
      sums[(row + 1) * stride + column + 1] = sums[row * stride + column + 1] + line;
    }
  }
  return sums;
}
