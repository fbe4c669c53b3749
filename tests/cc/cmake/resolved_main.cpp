// C++ only.
int run_separate();

int main()
{
	return run_separate();
}
