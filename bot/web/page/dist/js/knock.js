history.replaceState(null,"","/");document.getElementById("knock").requestSubmit();
