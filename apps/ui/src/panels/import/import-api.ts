import type {
  CheckedPlan,
  FileDesign,
  ImportDesignBody,
  ImportedFile,
  ImportMapBody,
  ImportPlanBody,
  ImportReport,
  ImportRunBody,
} from '@trestle/desktop/router';
import { ApiError, readFailure } from '../../data/api/api.ts';
import { appFetch } from '../../data/api/window-key.ts';
import { againWords } from './import-words.ts';

/** Sends a file unchanged. The browser reads the file from the disk during the request. */
export async function sendFile(file: File, signal: AbortSignal): Promise<ImportedFile> {
  try {
    const response = await appFetch(`/data/import/file?name=${encodeURIComponent(file.name)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: file,
      signal,
    });
    if (!response.ok) throw await readFailure(response);
    return (await response.json()) as ImportedFile;
  } catch (error) {
    if (error instanceof TypeError && !(await isReadable(file))) {
      throw new ApiError({
        code: 'invalid_argument',
        message: `Could not read ${file.name}. Is it a folder?`,
      });
    }
    throw error;
  }
}

/** For a folder, and for a file that cannot be read, `fetch` fails as if the app did not answer. */
async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

export async function checkPlan(body: ImportPlanBody, signal: AbortSignal): Promise<CheckedPlan> {
  return (await (await post('plan', body, signal)).json()) as CheckedPlan;
}

/** Starts the import. Returns the id of its job. */
export async function startImport(body: ImportRunBody): Promise<string> {
  return ((await (await post('run', body)).json()) as { job: string }).job;
}

/** A table for the file, with types from its values. */
export async function designFile(body: ImportDesignBody): Promise<FileDesign> {
  return (await (await post('design', body)).json()) as FileDesign;
}

/** Maps the file to the table that was made for it. */
export async function mapOfDesign(body: ImportMapBody): Promise<Record<string, string | null>> {
  return ((await (await post('map', body)).json()) as { map: Record<string, string | null> }).map;
}

export const forgetFile = (id: string) => post(`${id}/forget`);

/** A path from which the file of failed rows can be downloaded once. */
export async function failedFile(id: string): Promise<string> {
  return ((await (await post(`${id}/failed`)).json()) as { file: string }).file;
}

/** The rows that failed or got no answer, as a file to import. */
export async function retryFailed(id: string): Promise<ImportedFile> {
  return (await (await post(`${id}/retry`)).json()) as ImportedFile;
}

async function post(path: string, body: unknown = {}, signal?: AbortSignal): Promise<Response> {
  const response = await appFetch(`/data/import/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw await readFailure(response);
  return response;
}

export function lostImport(isNumbered: boolean, existing: ImportRunBody['existing']): ApiError {
  return new ApiError({
    code: 'app_unreachable',
    message: 'Trestle stopped answering during the import',
    hint: againWords(isNumbered, existing),
  });
}

export type { CheckedPlan, FileDesign, ImportedFile, ImportReport, ImportRunBody };
