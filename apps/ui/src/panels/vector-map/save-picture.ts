/** Saves the points as a PNG, with the shapes and texts over them and the legend. */
export async function savePicture(stage: HTMLElement, fileName: string): Promise<void> {
  const points = stage.querySelector('canvas');
  const overlay = stage.querySelector('svg');
  if (!points || !overlay) return;
  const { width, height } = stage.getBoundingClientRect();
  const picture = document.createElement('canvas');
  picture.width = points.width;
  picture.height = points.height;
  const context = picture.getContext('2d');
  if (!context) return;
  context.drawImage(points, 0, 0);
  context.scale(points.width / width, points.height / height);
  const frame = stage.getBoundingClientRect();
  drawOverlay(context, overlay, frame);
  const legend = stage.querySelector('[data-legend]');
  if (legend) drawLegend(context, legend, frame);
  const blob = await new Promise<Blob | null>((resolve) => picture.toBlob(resolve, 'image/png'));
  if (!blob) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * Draws the shapes and texts with their computed styles. If the whole SVG were drawn as one image, it would lose the
 * page's CSS variables and fonts.
 */
function drawOverlay(context: CanvasRenderingContext2D, overlay: SVGSVGElement, frame: DOMRect): void {
  for (const part of overlay.querySelectorAll('line, circle, rect, text')) {
    const style = getComputedStyle(part);
    context.fillStyle = style.fill;
    context.strokeStyle = style.stroke;
    context.lineWidth = Number.parseFloat(style.strokeWidth);
    if (part instanceof SVGTextElement) drawText(context, part, style, frame);
    else drawShape(context, part as SVGGraphicsElement, style);
  }
}

function drawShape(
  context: CanvasRenderingContext2D,
  shape: SVGGraphicsElement,
  { fill, stroke }: CSSStyleDeclaration,
): void {
  const { a, b, c, d, e, f } = shape.getCTM()!;
  context.save();
  context.transform(a, b, c, d, e, f);
  context.beginPath();
  if (shape instanceof SVGLineElement) {
    context.moveTo(shape.x1.baseVal.value, shape.y1.baseVal.value);
    context.lineTo(shape.x2.baseVal.value, shape.y2.baseVal.value);
  } else if (shape instanceof SVGCircleElement) {
    context.arc(shape.cx.baseVal.value, shape.cy.baseVal.value, shape.r.baseVal.value, 0, 2 * Math.PI);
  } else if (shape instanceof SVGRectElement) {
    const { x, y, width, height } = shape;
    context.rect(x.baseVal.value, y.baseVal.value, width.baseVal.value, height.baseVal.value);
  }
  if (fill !== 'none') context.fill();
  if (stroke !== 'none') context.stroke();
  context.restore();
}

function drawText(
  context: CanvasRenderingContext2D,
  text: SVGTextElement,
  { fontWeight, fontSize, fontFamily, stroke }: CSSStyleDeclaration,
  frame: DOMRect,
): void {
  const box = text.getBoundingClientRect();
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  const x = box.left - frame.left + box.width / 2;
  const y = box.top - frame.top + box.height / 2;
  if (stroke !== 'none') context.strokeText(text.textContent ?? '', x, y);
  context.fillText(text.textContent ?? '', x, y);
}

/** Draws the legend where the page shows it. Entries that are scrolled out of view are left out. */
function drawLegend(context: CanvasRenderingContext2D, legend: Element, frame: DOMRect): void {
  const box = placeOf(legend, frame);
  // In a narrow window, an open card hides the legend.
  if (box.width === 0) return;
  context.save();
  context.fillStyle = getComputedStyle(legend).backgroundColor;
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, 8);
  context.fill();
  context.clip();
  for (const part of legend.querySelectorAll('*')) {
    if (part.children.length > 0) continue;
    const style = getComputedStyle(part);
    const place = placeOf(part, frame);
    if (part.textContent) drawLabel(context, part.textContent, style, place);
    else drawColour(context, style, place);
  }
  context.restore();
}

function drawLabel(
  context: CanvasRenderingContext2D,
  text: string,
  { color, fontWeight, fontSize, fontFamily, paddingLeft }: CSSStyleDeclaration,
  { x, y, width, height }: DOMRect,
): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.fillStyle = color;
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillText(text, x + Number.parseFloat(paddingLeft), y + height / 2);
  context.restore();
}

/** The dot of a category, or the bar of a scale. */
function drawColour(
  context: CanvasRenderingContext2D,
  { backgroundColor, backgroundImage, borderColor }: CSSStyleDeclaration,
  { x, y, width, height }: DOMRect,
): void {
  const [from, to] = backgroundImage.match(/[a-z]+\([^()]*\)/g) ?? [];
  context.beginPath();
  if (from && to) {
    const gradient = context.createLinearGradient(x, y, x + width, y);
    gradient.addColorStop(0, from);
    gradient.addColorStop(1, to);
    context.fillStyle = gradient;
    context.roundRect(x, y, width, height, height / 2);
    context.fill();
    return;
  }
  context.arc(x + width / 2, y + height / 2, width / 2 - 1, 0, 2 * Math.PI);
  context.fillStyle = backgroundColor;
  context.strokeStyle = borderColor;
  context.lineWidth = 1.5;
  context.fill();
  context.stroke();
}

function placeOf(element: Element, frame: DOMRect): DOMRect {
  const { left, top, width, height } = element.getBoundingClientRect();
  return new DOMRect(left - frame.left, top - frame.top, width, height);
}
