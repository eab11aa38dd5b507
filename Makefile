# Short names for what dev.py does; a machine without make loses nothing.
.PHONY: run test fast bench
run:
	python3 dev.py run
test:
	python3 dev.py test
fast:
	python3 dev.py test --fast
bench:
	python3 dev.py bench
